/** Looks on while a request is answered, and hands on what it is given. Metrics and traces do. */
export type Observe = <A extends { status: number }>(
  endpoint: string,
  request: { method: string; headers: Readonly<Record<string, string | undefined>> },
  run: () => Promise<A>,
) => Promise<A>

/** The first is outermost; undefined where nobody looks on. */
export const observers = (all: readonly (Observe | undefined)[]): Observe | undefined =>
  all
    .filter((one) => one !== undefined)
    .reduceRight<Observe | undefined>(
      (inner, outer) =>
        inner ? (endpoint, request, run) => outer(endpoint, request, () => inner(endpoint, request, run)) : outer,
      undefined,
    )
