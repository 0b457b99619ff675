// An image lies in one piece, or in pieces of a larger memory (arena.ts).

/** A multiple of what machines compare at once. */
export const PIECE = 256 * 1024

/** Where the memory of the image has this place of its content. @param {{ pieces?: number[] }} image @param {number} at */
export const addressOf = ({ pieces }, at) => (pieces ? pieces[Math.floor(at / PIECE)] * PIECE + (at % PIECE) : at)
