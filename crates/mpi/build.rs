//! Compiles the engine that runs programs, by the compiler of the MPI library.

fn main() {
    println!("cargo:rerun-if-changed=src/schedules/engine.c");
    println!("cargo:rerun-if-changed=../program/c/quadrille_engine.h");
    cc::Build::new()
        .compiler("mpicc")
        .include("../program/c")
        .file("src/schedules/engine.c")
        .opt_level(2)
        .compile("quadrille_engine");
}
