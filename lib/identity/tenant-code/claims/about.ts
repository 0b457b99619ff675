// The subject of a token: data for claim rules that is not in the user's own row.

export type RoleNamePort = {
  /** The names of a user's roles, in order: those in the organization, if there is one. */
  of(userId: string, organizationId: string | null): Promise<string[]>
}
