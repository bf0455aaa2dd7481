//! Laws of the methods and of solving, in one program.

mod composition;
mod every_method;
mod numbering;
