// What the demo page needs from a server of its own, in demo mode only (threat-model.md SC3).
// - POST /demo/received is where its SAML and WS-Federation applications get their responses. A page of a browser cannot read what
//   was posted, so the response continues in the fragment of the page's address, which no server sees.
// - POST /demo/invitation invites a new guest to the demo's organization and continues at the link of the invitation, whose mail is
//   in the outbox as well.

import { FIRST_TENANT } from '../../../data/tenants/settings'
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, redirect } from '../../../http/message'
import { DomainError, notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

const COMMON = {
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
} as const

/** The organization of prisma/demo-tenant.yaml, and the application that guests are invited to. */
const ORGANIZATION = 'night-shift'
const CLIENT = 'demo-team'

function demand({ demo, tenantId }: Runtime): void {
  if (!demo || tenantId !== FIRST_TENANT) throw notFound('There is nothing at this address', { redirectable: false })
}

export const demoReceived = defineEndpoint<Runtime>({
  name: 'demo.received',
  ...COMMON,
  methods: {
    POST(request, runtime) {
      demand(runtime)
      const { SAMLResponse, wresult } = bodyParameters(request)
      const response = wresult === undefined ? SAMLResponse : Buffer.from(wresult).toString('base64')
      if (response === undefined)
        throw new DomainError('invalid_request', 'The form has no response', { redirectable: false })
      return redirect(`${runtime.baseUrl}/demo#${new URLSearchParams({ received: response })}`, 303)
    },
  },
})

export const demoInvitation = defineEndpoint<Runtime>({
  name: 'demo.invitation',
  ...COMMON,
  limit: 'signup',
  methods: {
    async POST(_request, runtime) {
      demand(runtime)
      const [deps, { invite, presentInvitation }] = await Promise.all([
        runtime.management(),
        import('../../../management/resources/organization-invitations'),
      ])
      const organization = await deps.organizations.findByName(ORGANIZATION)
      if (!organization) throw notFound('The demo has no organization', { redirectable: false })
      const email = `guest-${runtime.random.hex(6)}@demo.test`
      const invitation = { inviter: { name: 'Grace Hopper' }, invitee: { email }, client_id: CLIENT }
      const row = await invite(organization, invitation, null, deps)
      return redirect(String(presentInvitation(row, deps).invitation_url), 303)
    },
  },
})
