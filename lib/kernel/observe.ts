/** Instrumentation middleware: records duration and outcome, then passes the response on. Metrics and traces use it. */
export type Observe = <A extends { status: number }>(
  endpoint: string,
  request: { method: string; headers: Readonly<Record<string, string | undefined>> },
  run: () => Promise<A>,
) => Promise<A>

/** Composes observers, the first outermost; undefined if there are none. */
export const observers = (all: readonly (Observe | undefined)[]): Observe | undefined =>
  all
    .filter((one) => one !== undefined)
    .reduceRight<Observe | undefined>(
      (inner, outer) =>
        inner ? (endpoint, request, run) => outer(endpoint, request, () => inner(endpoint, request, run)) : outer,
      undefined,
    )
