// The parameters of a request: names and values, each name once.

export type Parameters = Readonly<Record<string, string | undefined>>

/** The parameters that have a value. */
export const sentOf = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined))
