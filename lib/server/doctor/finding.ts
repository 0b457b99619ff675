// The doctor's findings: each names its subject and its health, and says what to do where the health is not good.
export type Health = 'well' | 'doubtful' | 'ill'

export type Finding = { about: string; health: Health; says: string }

export const well = (about: string, says: string): Finding => ({ about, health: 'well', says })
export const doubtful = (about: string, says: string): Finding => ({ about, health: 'doubtful', says })
export const ill = (about: string, says: string): Finding => ({ about, health: 'ill', says })

/** One request as it arrived, through any proxies. */
export type Arrival = {
  /** The client address that this server derived. */
  ip: string
  forwardedFor: string | undefined
  forwarded: string | undefined
  forwardedProto: string | undefined
  host: string | undefined
}

export type Examiner = {
  /** The digest of the operator's token; null where none is set. */
  tokenDigest: Uint8Array | null
  examine(arrival: Arrival): Promise<Finding[]>
}

/** The overall health: the worst finding. */
export const worst = (findings: readonly Finding[]): Health =>
  (['ill', 'doubtful'] as const).find((health) => findings.some((finding) => finding.health === health)) ?? 'well'
