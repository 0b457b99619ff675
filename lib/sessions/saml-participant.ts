// SAML applications that took part in a session, each with what it calls the person: single logout speaks of nobody else
// (SAML Core 3.7).
export type SamlParticipant = { clientId: string; nameId: string; nameIdFormat: string }

export type SamlParticipantPort = {
  /** One per session and application: what it was told last. */
  record(sid: string, participant: SamlParticipant, expiresAt: Date): Promise<void>
  list(sid: string): Promise<SamlParticipant[]>
}
