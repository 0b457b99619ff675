// SAML applications that took part in a session, with the NameID each got: single logout names the person by it (SAML Core 3.7).
export type SamlParticipant = { clientId: string; nameId: string; nameIdFormat: string }

export type SamlParticipantPort = {
  /** One row per session and application: the latest NameID. */
  record(sid: string, participant: SamlParticipant, expiresAt: Date): Promise<void>
  list(sid: string): Promise<SamlParticipant[]>
}
