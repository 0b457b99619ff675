// What the doctor says: each finding names what was looked at, how it is, and where it is not well, what to do.
export type Health = 'well' | 'doubtful' | 'ill'

export type Finding = { about: string; health: Health; says: string }

export const well = (about: string, says: string): Finding => ({ about, health: 'well', says })
export const doubtful = (about: string, says: string): Finding => ({ about, health: 'doubtful', says })
export const ill = (about: string, says: string): Finding => ({ about, health: 'ill', says })

/** One request as it arrived, through whatever stands in front. */
export type Arrival = {
  /** Whom we take the person for. */
  ip: string
  forwardedFor: string | undefined
  forwardedProto: string | undefined
  host: string | undefined
}

export type Examiner = {
  /** Of the operator's token; null where none is set. */
  tokenDigest: Uint8Array | null
  examine(arrival: Arrival): Promise<Finding[]>
}

/** Its last word: the worst of what was found. */
export const worst = (findings: readonly Finding[]): Health =>
  (['ill', 'doubtful'] as const).find((health) => findings.some((finding) => finding.health === health)) ?? 'well'
