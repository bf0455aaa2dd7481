//! The command `quadrille`.

fn main() -> std::process::ExitCode {
    quadrille::cli::main()
}
