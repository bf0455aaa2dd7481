//! The command `quadrille`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
