mod build;
mod random;
mod stories;
mod world;
