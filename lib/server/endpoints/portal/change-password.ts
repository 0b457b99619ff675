// The address that password managers open to change a password (W3C, A Well-Known URL for Changing Passwords): the portal's page. A visitor
// who is not signed in meets its login, which offers the reset.

import { PORTAL_PATH } from '../../../data/clients/portal'
import { defineEndpoint } from '../../../http/endpoint'
import { redirect } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

export const changePasswordAddress = defineEndpoint<Runtime>({
  name: 'change-password-address',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: oauthJson,
  methods: { GET: async (_request, { baseUrl }) => redirect(`${baseUrl}${PORTAL_PATH}/password`) },
  describe: () => ({
    tag: 'Metadata',
    GET: {
      summary: 'Find the page that changes a password (W3C)',
      answers: { 302: { says: 'The page in the account portal' } },
      examples: { page: {} },
    },
  }),
})
