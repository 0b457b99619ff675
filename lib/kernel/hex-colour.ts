/** A colour in hex notation: of 3 or 6 digits, or of 4 or 8 with its transparency. */
export const HEX_COLOUR = /^#(?:(?:[0-9a-f]{3}){1,2}|(?:[0-9a-f]{4}){1,2})$/i
