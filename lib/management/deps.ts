// What the operations need together. Each resource names its own part; the whole derives from the list of resources.
import type { AREAS } from '.'
import type { IdempotencyDeps } from './operations/idempotency'
import type { RankDeps } from './operations/rank'

/** What takes the dependencies of an operation, for each of an area. */
type Takes<Area> = Area extends { handle(call: { deps: infer Deps }): unknown }
  ? (deps: Deps) => void
  : Area extends readonly (infer Part)[]
    ? Takes<Part>
    : Area extends object
      ? Takes<Area[keyof Area]>
      : never

/** What satisfies all of them: a type inferred from several parameters is their intersection. */
type TakenByAll<Taking> = [Taking] extends [(deps: infer Deps) => void] ? Deps : never

export type ManagementDeps = TakenByAll<Takes<typeof AREAS>> & RankDeps & IdempotencyDeps
