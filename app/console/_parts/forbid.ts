/** A page that the role does not open, where no operation is called that would say so. */
export class Forbid extends Error {}

/** An address that is no page. */
export class Nowhere extends Error {}
