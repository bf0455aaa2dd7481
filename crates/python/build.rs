//! **What:** how the system's linker makes a module that finds Python where it is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
