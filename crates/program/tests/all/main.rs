//! Laws of programs, in one program.

mod every_order;
