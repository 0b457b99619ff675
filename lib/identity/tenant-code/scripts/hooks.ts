// The vendor's hooks: functions that ran at five points before there were actions. The enabled one of a trigger is an action in front of
// the others there (docs/actions.md, "Hooks"). Pure.
import * as z from 'zod'
import { actionSettings, MAX_CODE, MAX_SECRETS } from '../actions/action'
import { whyLacking } from '../actions/check'
import type { Need } from '../actions/need'
import type { Dependency } from '../packages/need'
import { HOOK_SHIMS } from './hook-shim'
import { type LegacyAction, scriptName } from './legacy-action'
import { namesIn, needOfVersions, withoutVersions } from './packages'
import { whyUnbundled } from './script'

export const HOOK_TRIGGERS = [
  'credentials-exchange',
  'pre-user-registration',
  'post-user-registration',
  'post-change-password',
  'send-phone-message',
] as const

export type HookTrigger = (typeof HOOK_TRIGGERS)[number]

export const MAX_HOOKS = 100

/** As the vendor shows the value of a secret. */
export const HIDDEN = '_VALUE_NOT_SHOWN_'

export const hookSecrets = z
  .record(z.string().min(1).max(128), z.string().max(4096))
  .refine((secrets) => Object.keys(secrets).length <= MAX_SECRETS, `has more than ${MAX_SECRETS} secrets`)

export const hook = z.object({
  name: scriptName,
  script: z.string().min(1).max(MAX_CODE),
  triggerId: z.enum(HOOK_TRIGGERS),
  enabled: z.boolean(),
  /** Version by name of a package. */
  dependencies: z.record(z.string(), z.string()).default({}),
})

export type Hook = z.output<typeof hook>

const stored = hook.extend({
  /** Secrets by name, each as base64 of the sealed value. */
  sealed: z.record(z.string(), z.string()).default({}),
})

export type StoredHook = z.output<typeof stored>

/** Null for one that this version cannot read. */
export const readHook = (body: unknown): StoredHook | null => stored.safeParse(body).data ?? null

/** Names what the hook needs and this server lacks; null if it can run. */
export function whyHookNotRunnable(given: Code): string | null {
  const names = [...namesIn(given.script), ...declaredBy(given).map(({ name }) => name)]
  const lacking = whyLacking(withoutVersions(given.script), names)
  return lacking ?? whyUnbundled(needOfHook(given))
}

type Code = Pick<Hook, 'script' | 'dependencies'>

/** The packages that it declares or requires; null where there are none. */
export const needOfHook = (given: Code): Need | null => needOfVersions([given.script], declaredBy(given))

const declaredBy = ({ dependencies }: Code): Dependency[] =>
  Object.entries(dependencies).map(([name, version]) => ({ name, version }))

/** The enabled hook of each trigger. */
export const hookActions = (hooks: readonly StoredHook[]): Partial<Record<HookTrigger, LegacyAction>> =>
  Object.fromEntries(
    hooks
      .filter(({ enabled }) => enabled)
      .map((each) => [
        each.triggerId,
        { action: { ...settingsOf(each), name: each.name }, ids: [], need: needOfHook(each) },
      ]),
  )

function settingsOf({ script, triggerId, sealed }: StoredHook) {
  const within = `const module = { exports: {} }\n;(function (module, exports) {\n${withoutVersions(script)}\n})(module, module.exports)`
  const parameters = 'PreUserRegistrationError, InvalidScopeError, InvalidRequestError, ServerError'
  const code = `${HOOK_SHIMS[triggerId]}\nfunction $hook(${parameters}) {\n${within}\nreturn module.exports\n}\n`
  return { ...actionSettings.omit({ code: true }).parse({ trigger: triggerId, sealed }), code }
}
