// The profile that a script of a plain OAuth 2.0 connection fetches: `scripts.fetchUserProfile` (docs/scripts.md). It says who returns, so
// whatever is no right answer fails the login.
import * as z from 'zod'
import type { FederatedConnection } from '../../data/connections/connection'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import type { JsonObject } from '../../kernel/json'
import type { ScriptRunner } from '../tenant-code/scripts/run-script'
import { packagesOf, type ScriptBuildPort } from '../tenant-code/scripts/script-build'

type ProfileDeps = { scripts: ScriptRunner; scriptBuilds: ScriptBuildPort }

const id = z.union([z.string().min(1).max(255), z.int().transform(String)]).nullish()
const profile = z.looseObject({ user_id: id, id })

const failed = (message: string) => new UpstreamError('unreachable', message, { reason: 'script_failed' })

/** @param context the answer of the token endpoint */
export async function profileByScript(
  { name, settings }: FederatedConnection,
  accessToken: string,
  context: JsonObject,
  { scripts, scriptBuilds }: ProfileDeps,
): Promise<JsonObject> {
  const all = settings.options.scripts ?? {}
  const script = all.fetchUserProfile
  if (script === undefined) throw failed('the connection has no script fetchUserProfile')
  const packages = await packagesOf(all, scriptBuilds)
  if ('problem' in packages) throw failed(packages.problem)
  const secrets = [accessToken, context.refresh_token, context.id_token].filter((each) => typeof each === 'string')
  const call = { name: `${name}/fetchUserProfile`, script, args: [accessToken, context], configuration: {}, secrets }
  const answer = await scripts.run({ ...call, ...packages })
  if (answer.outcome === 'refused')
    throw new UpstreamError('denied', answer.message || 'the script refused', { reason: 'script_denied' })
  if (answer.outcome === 'failed') throw failed('the script fetchUserProfile failed')
  const read = profile.safeParse(answer.value)
  if (!read.success) throw failed('the script fetchUserProfile answered no profile')
  const { user_id, id: other, ...claims } = read.data
  const subject = user_id ?? other
  if (subject === null || subject === undefined) throw failed('the script fetchUserProfile answered no user_id')
  return { ...(claims as JsonObject), sub: subject }
}
