// A script of the vendor's is the text of one function: a rule, or a script of a connection. Pure.

import { syntaxProblem, whyLacking } from '../actions/check'
import type { Need } from '../actions/need'
import { faultOfNeed } from '../packages/need'
import { namesIn, needOfScripts, withoutVersions } from './packages'

/** Its text as an expression. */
export const asFunction = (script: string): string => `(${script.trim().replace(/;+$/, '')}\n)`

/** What is no function at all, as a sentence. */
export const scriptProblem = (script: string): string | null => syntaxProblem(`return ${asFunction(script)}`)

/** Names what the script needs and this server lacks; null if it can run. */
export function whyScriptNotRunnable(script: string): string | null {
  const lacking = whyLacking(withoutVersions(script), namesIn(script))
  return lacking ?? whyUnbundled(needOfScripts([script]))
}

export function whyUnbundled(need: Need | null): string | null {
  const fault = need && faultOfNeed(need)
  return fault && `needs packages that cannot be bundled: ${fault}`
}
