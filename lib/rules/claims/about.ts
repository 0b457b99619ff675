// Whose token it is: what rules ask of a user beyond the user's own row.

export type RoleNamePort = {
  /** The names of a user's roles, in order. */
  of(userId: string): Promise<string[]>
}
