// What would happen if this user signed in to an application: answered by the rules of a login, without any effect. Ours.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { PREVIEW_BROWSERS, PREVIEW_PROTOCOLS, type PreviewedLogin, type PreviewPort } from '../../data/logins/preview'
import { type InspectedStep, storedStep } from '../../data/logins/step'
import { hintOf } from '../../kernel/reasons'
import { inexistent, invalidQuery, lacksScope } from '../operations/errors'
import { operationsWith } from '../operations/operation'
import { shownStep } from './logins'
import type { UserBlockStore } from './user-blocks'
import type { ManagedUserStore } from './user-list'

export type SignInPreviewDeps = {
  clients: Pick<ClientPort, 'find'>
  managedUsers: Pick<ManagedUserStore, 'find'>
  userBlocks: Pick<UserBlockStore, 'ofUser'>
  previewSignIn: PreviewPort
}

const text = z.string().min(1).max(300)

export const userSignInPreview = {
  preview: operationsWith<SignInPreviewDeps>()({
    name: 'users.sign_in_preview',
    method: 'GET',
    path: '/users/:id/sign-in-preview',
    summary: 'Say what would happen if a user signed in to an application',
    scopes: ['read:users'],
    needs: ['read:logins'],
    query: z.object({
      client_id: text.meta({ title: 'Application', picker: 'applications' }),
      connection: text.optional().meta({ title: 'Connection', picker: 'connections' }),
      organization: text.optional().meta({ title: 'Organization', picker: 'organizations' }),
      audience: text.optional().meta({ title: 'API', picker: 'apis' }),
      scope: z.string().max(2000).optional().meta({ title: 'Scopes' }),
      ip: z.union([z.ipv4(), z.ipv6()]).optional().meta({ title: 'Network address' }),
      browser: z.enum(PREVIEW_BROWSERS).optional().meta({ title: 'Browser' }),
      protocol: z.enum(PREVIEW_PROTOCOLS).optional().meta({ title: 'Protocol' }),
    }),
    status: 200,
    answer: z
      .object({
        would_sign_in: z.boolean(),
        reason: z.string().nullable(),
        connection: z.string().nullable(),
        steps: z.array(shownStep.omit({ at: true })),
        not_run: z
          .array(z.object({ at: z.string(), name: z.string() }))
          .meta({ description: 'Code of the tenant that a login would run and the preview does not' }),
      })
      .meta({ id: 'SignInPreview' }),
    async handle({ params, query, actor, deps }) {
      const found = await deps.managedUsers.find(params.id)
      if (!found) throw inexistent('user')
      const { client_id: clientId, organization, ip } = query
      if (organization !== undefined && !actor.scopes.has('read:organization_members'))
        throw lacksScope(['read:organization_members'])
      if (!(await deps.clients.find(clientId))) throw invalidQuery('client_id is the id of no application')
      const preview = await deps.previewSignIn({
        ...{ user: found.user, clientId, organization: organization ?? null },
        connections: [...new Set(found.identities.map(({ connection }) => connection))],
        accounts: (await deps.userBlocks.ofUser(found.user.id)) ?? [],
        ...{ connection: query.connection ?? null, audience: query.audience ?? null },
        ...{ scope: query.scope ?? 'openid profile email', ip: ip ?? UNKNOWN_ADDRESS },
        ...{ browser: query.browser ?? 'unknown', protocol: query.protocol ?? null },
      })
      return { body: JSON.parse(JSON.stringify(present(preview, actor.scopes.has('read:actions')))) }
    },
  }),
}

/** Of documentation (RFC 5737): no login comes from it. */
const UNKNOWN_ADDRESS = '192.0.2.1'

/** Names of actions are for those who read actions. */
function present({ reason, connection, steps, code }: PreviewedLogin, namesCode: boolean) {
  return {
    would_sign_in: reason === null,
    ...{ reason, connection },
    steps: steps.map((step) => presentStep(step.kind === 'actions' && !namesCode ? withoutLines(step) : step)),
    not_run: code.map(({ at, name }, place) => ({ at, name: namesCode ? name : String(place + 1) })),
  }
}

const withoutLines = ({ lines: _, ...step }: InspectedStep): InspectedStep => step

function presentStep(step: InspectedStep) {
  const { at: _, ...shown } = storedStep(step, '')
  const hint = step.reason === undefined ? undefined : hintOf(step.reason)
  return hint === undefined ? shown : { ...shown, hint }
}
