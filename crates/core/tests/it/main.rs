//! What other crates see of awf-core, held against plain-text tables.

#[cfg(test)]
mod d3;
#[cfg(test)]
mod d4;
#[cfg(test)]
mod table;
