//! The command `quadrille`.

fn main() -> std::process::ExitCode {
    quadrille_cli::main()
}
