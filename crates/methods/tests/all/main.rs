//! Laws of the methods and of solving, in one program.

mod aggregation;
mod as_orbits;
mod by_dimension;
mod composition;
mod every_method;
mod numbering;
mod one_shot;
mod parts;
mod ports;
mod slots;
mod spaced;
mod spread;
mod stopped;
mod tune;
mod turned;
