// Checks whether an action can run here, reported when it is loaded instead of during a login. A static check of the text, no
// security boundary: what it misses fails in the sandbox, with the effect of the action's own setting.

import { compileFunction } from 'node:vm'
import { TRIGGERS, type TriggerName } from '../../../data/tenants/triggers'
import { ownMember } from '../../../kernel/json'
import { packageOf } from '../packages/judge.mjs'
import type { Dependency } from '../packages/need'
import { ABSENT, PRESENT } from '../platform/names'
import { HANDLERS, methodNames } from './methods'
import { modulesIn, withoutComments, withoutTexts } from './source'
import { actionModule, type UsedModule, whyUnfit } from './used-modules'

export type Checked = {
  code: string
  trigger: TriggerName
  dependencies: readonly Dependency[]
  modules?: readonly Pick<UsedModule, 'module_name' | 'code' | 'dependencies'>[]
}

export const isTrigger = (id: string): id is TriggerName => (TRIGGERS as readonly string[]).includes(id)

/** The syntax error of the code; the code is compiled, not run. */
export function syntaxProblem(code: string): string | null {
  try {
    compileFunction(code, ['exports', 'module', 'require', 'console'], { filename: 'code' })
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const line = /^code:(\d+)/.exec(error.stack ?? '')?.[1]
    return `is no JavaScript: ${error.message}${line === undefined ? '' : ` (line ${line})`}`
  }
}

/** Names what the action needs and this server lacks; null if it can run. */
export function whyNotRunnable({ code, trigger, dependencies, modules = [] }: Checked): string | null {
  const used = modules.map((each) => each.module_name)
  const lacking =
    whyLacking(code, namesOf(dependencies), used) ??
    whyUnfit({ code, dependencies, modules }) ??
    modules.map(whyModuleLacking).find((why) => why !== null) ??
    null
  if (lacking !== null) return lacking
  const spoken = withoutComments(code)
  const missing = missingCalls(withoutTexts(spoken), trigger)
  if (missing.length > 0) return `asks for ${missing.join(', ')}, which there is not at ${trigger}`
  return spoken.includes(HANDLERS[trigger]) ? null : `exports no ${HANDLERS[trigger]}`
}

const namesOf = (dependencies: readonly Dependency[]): string[] => dependencies.map(({ name }) => name)

const whyModuleLacking = ({
  module_name,
  code,
  dependencies,
}: Pick<UsedModule, 'module_name' | 'code' | 'dependencies'>): string | null => {
  const why = whyLacking(code, namesOf(dependencies))
  return why && `uses the module ${module_name}, which ${why}`
}

/**
 * Names the modules that the code requires and does not have; null if there are none.
 * @param used names of Actions Modules
 */
export function whyLacking(code: string, dependencies: readonly string[], used: readonly string[] = []): string | null {
  const lacking = modulesIn(code).flatMap((name) => {
    const shared = actionModule(name)
    if (shared !== null) return used.includes(shared) ? [] : [`${name} (it is no module of this action)`]
    const why = dependencies.includes(packageOf(name)) ? null : whyAbsent(name)
    return why === null ? [] : [`${name} (${why})`]
  })
  return lacking.length === 0 ? null : `requires ${lacking.join(', ')}`
}

/** Null for a module that actions have. */
function whyAbsent(name: string): string | null {
  const bare = name.replace(/^node:/, '')
  if (PRESENT.includes(bare)) return null
  return (
    ownMember(ABSENT as Readonly<Record<string, string>>, bare) ??
    'it is no module of Node.js that actions have, and no dependency of this action'
  )
}

/** Calls on `api`, under its conventional name. */
function missingCalls(code: string, trigger: TriggerName): string[] {
  const names = methodNames(trigger)
  const calls = [...code.matchAll(/(?<![.\w$])api\s*\??\.\s*(\w+)(?:\s*\??\.\s*(\w+))?/g)]
  const called = calls.map(([, space = '', method]) => ({
    space,
    call: method === undefined ? null : `${space}.${method}`,
  }))
  const missing = called.filter(({ space, call }) =>
    call === null ? !names.some((name) => name.startsWith(`${space}.`)) : !names.includes(call),
  )
  return [...new Set(missing.map(({ space, call }) => `api.${call ?? space}`))]
}
