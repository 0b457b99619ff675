// The scripts of a connection in a tenant file. One that cannot run is reported; it stays, and whatever asks for it fails.

import { scriptProblem, whyScriptNotRunnable } from '../../../identity/rules/scripts/script'
import { objectIn } from '../../../kernel/json'
import { isCodeFile } from '../code-files'
import type { PlanContext } from '../context'
import type { Json, JsonObject } from '../model'

/** Those whose text is there. */
export function readableScripts(given: Json | undefined, path: string, { notApplied }: PlanContext): JsonObject {
  const readable = Object.entries(objectIn(given)).filter(([name, script]) => {
    if (typeof script !== 'string' || script === '') return true
    const isFile = isCodeFile(script)
    const why = isFile
      ? `${script.trim()} cannot be read beside the tenant file`
      : (scriptProblem(script) ?? whyScriptNotRunnable(script))
    if (why !== null) notApplied.push(`${path}.${name}: ${why}${isFile ? '' : '; it fails'}`)
    return !isFile
  })
  return Object.fromEntries(readable)
}
