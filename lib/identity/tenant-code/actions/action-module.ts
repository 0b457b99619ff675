// An Actions Module as its author keeps it: a draft, and the versions that were published. What actions use of it: used-modules.ts.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { digest } from '../../../kernel/secret'
import { dependency, MAX_PACKAGES } from '../packages/need'
import { syntaxProblem, whyLacking } from './check'
import { MAX_MODULE_CODE, type UsedModule } from './used-modules'

export const MAX_MODULES = 50

/** Of which a version is made when it is published. */
export const moduleBody = z.object({
  code: z.string().max(MAX_MODULE_CODE),
  dependencies: z.array(dependency).max(MAX_PACKAGES),
  sealed: z.record(z.string(), z.string()),
  /** When each secret was set, by name. */
  secrets_set: z.record(z.string(), z.string()),
})

export type ModuleBody = z.output<typeof moduleBody>

const moduleVersion = moduleBody.extend({ number: z.number().int().min(1), created_at: z.string() })

export type ModuleVersion = z.output<typeof moduleVersion>

/** As in `require('actions:NAME')`. */
export const moduleName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}'"`\\]+$/u, 'may have no quotes, backslashes and control characters')

/** A module as it is stored: its draft, and its versions, the newest first. */
export const storedModule = moduleBody.extend({
  name: moduleName,
  versions: z.array(moduleVersion),
  created_at: z.string(),
  updated_at: z.string(),
})

export type StoredModule = z.output<typeof storedModule>

/** Older versions go. An action keeps the version that it uses. */
const MAX_KEPT_VERSIONS = 50
const MAX_KEPT_CODE = 1_000_000

/** Of one name there is one module, so that two requests at a time cannot make two. */
export const moduleId = (name: string): string => `am_${digest(name).toString('base64url').slice(0, 22)}`

export const versionId = (id: string, number: number): string => `${id.replace(/^am_/, 'amv_')}_${number}`

/** What the draft and the newest version have in common decides whether there is something to publish. */
export function isPublished({ versions: [newest], ...draft }: StoredModule): boolean {
  return newest !== undefined && isDeepStrictEqual(moduleBody.parse(newest), moduleBody.parse(draft))
}

/** The draft becomes a version, the next one. @param least its number at least */
export function published(module: StoredModule, at: string, least = 1): StoredModule {
  const { versions } = module
  const number = Math.max((versions[0]?.number ?? 0) + 1, least)
  const version = { ...moduleBody.parse(module), number, created_at: at }
  let characters = version.code.length
  const kept = versions.slice(0, MAX_KEPT_VERSIONS - 1).filter(({ code }) => {
    characters += code.length
    return characters <= MAX_KEPT_CODE
  })
  return { ...module, versions: [version, ...kept] }
}

/** Why the draft cannot be published; null if it can. */
export const whyUnpublishable = ({ code, dependencies }: Pick<ModuleBody, 'code' | 'dependencies'>): string | null =>
  syntaxProblem(code) ??
  whyLacking(
    code,
    dependencies.map(({ name }) => name),
  )

/** A version as an action keeps it. */
export const usedVersion = (
  id: string,
  { name }: Pick<StoredModule, 'name'>,
  { number, code, dependencies, sealed }: ModuleVersion,
): UsedModule => ({
  ...{ module_id: id, module_name: name, module_version_id: versionId(id, number), module_version_number: number },
  ...{ code, dependencies, sealed },
})
