// Federated connections: every strategy of lib/data/connections/upstream/providers.ts.
// - Secrets are sealed when they are read; an unchanged secret keeps its sealed value.
// - An entry without a value that its strategy requires is reported and left out. The vendor's exports omit them where its
//   development keys were used.

import * as z from 'zod'
import { requestHeaders } from '../../../data/connections/federated-options'
import {
  PROVIDERS,
  type ProviderRow,
  type ProviderStrategy,
  providerOf,
} from '../../../data/connections/upstream/providers'
import {
  CONNECTION_SECRETS,
  openSecret,
  openValues,
  sealSecret,
  sealValues,
} from '../../../data/connections/upstream/secrets'
import { unusedOptions } from '../../../data/connections/upstream/unused-options'
import { speaksWsFederation, WAAD } from '../../../data/connections/wsfed-options'
import { isJsonObject, objectIn } from '../../../kernel/json'
import type { PlanContext } from '../context'
import type { JsonObject } from '../model'
import { type ConnectionKind, entryOf, planConnection } from './connection-rows'
import { readableScripts } from './scripts'

const secretText = z.string().min(1).max(10_000).optional()
const SECRETS = Object.fromEntries(CONNECTION_SECRETS.map((name) => [name, secretText]))

export const FEDERATED: readonly ConnectionKind[] = (Object.keys(PROVIDERS) as ProviderStrategy[]).map((strategy) => ({
  section: 'connections',
  strategy,
  entry: entryOf(strategy, SECRETS),
  seal,
}))

export function planFederated(kind: ConnectionKind, value: JsonObject, path: string, context: PlanContext): void {
  const row = providerOf(kind.strategy)
  const options = isJsonObject(value.options) ? value.options : {}
  const stored = context.stored.connections.find(({ name }) => name === value.name)?.settings ?? {}
  const given = { ...(isJsonObject(stored.options) ? stored.options : {}), ...options }
  const known: Readonly<Record<string, unknown>> = { issuer: objectIn(given.oidc_metadata).issuer, ...given }
  const sealed = isJsonObject(stored.sealed) ? stored.sealed : {}
  const speaksOther = kind.strategy === WAAD && speaksWsFederation(known)
  const needs = speaksOther ? [['tenant_domain']] : row ? needsOf(row) : []
  const missing = needs.find((names) => !names.some((name) => isGiven(known[name] ?? sealed[name])))
  if (missing) {
    context.notApplied.push(`${path}: needs options.${missing.join(' or options.')}`)
    return
  }
  const entry = isJsonObject(options.scripts)
    ? {
        ...value,
        options: { ...options, scripts: readableScripts(options.scripts, `${path}.options.scripts`, context) },
      }
    : value
  planConnection(kind, entry, path, context)
  const unused = unusedOptions(kind.strategy, known).filter((name) => name in options)
  const reported = unused.map((name) => `${path}.options.${name}`)
  context.notApplied.push(...reported.filter((each) => !context.notApplied.includes(each)))
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false

/** Each inner list names alternatives, of which one is required. */
function needsOf(row: ProviderRow): readonly (readonly string[])[] {
  const needs: string[][] = [['client_id']]
  if (row.auth === 'signed') needs.push(['app_secret'], ['team_id'], ['kid'])
  if (row.protocol === 'oidc' && row.issuer === undefined) needs.push(['issuer', 'discovery_url', 'domain'])
  if (row.issuer?.includes('{domain}')) needs.push(['domain'])
  if (row.issuer?.includes('{tenant}')) needs.push(['tenant_domain', 'use_common_endpoint'])
  if (row.protocol === 'oauth2' && row.authorization === undefined) {
    needs.push(
      ['authorization_endpoint', 'authorizationURL'],
      ['token_endpoint', 'tokenURL'],
      ['userinfo_endpoint', 'scripts'],
    )
  }
  return needs
}

function seal(given: JsonObject, stored: JsonObject, { vault, random }: PlanContext): JsonObject {
  const options = isJsonObject(given.options) ? { ...given.options } : {}
  const before = isJsonObject(stored.sealed) ? (stored.sealed as Record<string, string>) : {}
  const sealed: JsonObject = {}
  for (const name of CONNECTION_SECRETS) {
    const plain = options[name]
    delete options[name]
    if (typeof plain !== 'string') continue
    const kept = openSecret(name, before, vault) === plain ? before[name] : undefined
    sealed[name] = kept ?? sealSecret(name, plain, vault, random)
  }
  const headers = requestHeaders.safeParse(options.customHeaders).data
  if (headers !== undefined) {
    const values = { ...openValues('customHeaders', before, vault), ...headers }
    const { shown, sealed: sealedHeaders } = sealValues('customHeaders', values, before, vault, random)
    Object.assign(sealed, sealedHeaders)
    options.customHeaders = shown
  }
  return {
    ...given,
    ...(given.options === undefined ? {} : { options }),
    ...(Object.keys(sealed).length > 0 ? { sealed } : {}),
  }
}
