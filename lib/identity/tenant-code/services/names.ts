// `dns` of actions.
import * as z from 'zod'
import type { Answered, RunContext, Service, Services } from '../sandbox/services'
import { codeOf, failure } from './failure'
import type { Network } from './network'
import { beginRequest } from './resource'

/** RFC 1035 2.3.4. */
const MAX_NAME = 253

const nameArgs = z.object({ name: z.string().min(1).max(MAX_NAME) })
const lookUpArgs = nameArgs.extend({ family: z.union([z.literal(0), z.literal(4), z.literal(6)]) })

type Value = NonNullable<Answered['value']>

export function nameServices(network: Network): Services {
  const recorded = async (name: string, scope: RunContext, find: () => Promise<Value>): Promise<Answered> => {
    const noted = beginRequest(scope, 'LOOKUP', name)
    try {
      const value = await find()
      noted.connected()
      return { value }
    } catch (error) {
      noted.failed(scope.signal.aborted ? null : codeOf(error))
      throw failure(codeOf(error))
    }
  }
  const ofName =
    (find: (name: string, scope: RunContext) => Promise<Value>): Service =>
    async (given, _bytes, scope) => {
      const { name } = nameArgs.parse(given)
      return recorded(name, scope, () => find(name, scope))
    }
  return {
    'dns.lookup': async (given, _bytes, scope) => {
      const { name, family } = lookUpArgs.parse(given)
      return recorded(name, scope, () => network.lookUp(name, family, scope))
    },
    'dns.services': ofName(network.services),
    'dns.texts': ofName(network.texts),
  }
}
