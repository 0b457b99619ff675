// What the engine runs of an action once its body is deployed (lib/identity/tenant-code/actions/action.ts).
import type { Json, JsonObject } from '../../kernel/json'
import type { ActionBody } from './actions'

export const liveOf = (
  {
    code,
    dependencies,
    modules = [],
    bundle,
    built_for,
    trigger,
    version,
    runtime,
    on_failure,
    sealed,
    kept = {},
  }: ActionBody,
  { bundle: _bundle, built_for: _builtFor, ...before }: JsonObject,
): JsonObject => ({
  ...before,
  code,
  dependencies: dependencies as unknown as Json,
  modules: modules as unknown as Json,
  ...(bundle === undefined || built_for === undefined ? {} : { bundle, built_for }),
  trigger,
  version,
  runtime,
  sealed,
  deployed: true,
  kept,
  ...(on_failure === undefined ? {} : { on_failure }),
})
