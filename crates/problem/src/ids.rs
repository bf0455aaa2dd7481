//! Identifiers: small numbers that cannot be mixed up.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The identifier as an index into a slice.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of position `index`; positions are below 2³² by construction of a network or collective.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("networks and collectives have fewer than 2^32 parts"))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A node of a network: a terminal or a switch.
    Node
);
id!(
    /// A directed channel of a network.
    Channel
);
id!(
    /// A message (semantics `copy`) or a chunk (semantics `reduce`) of a collective.
    Message
);
