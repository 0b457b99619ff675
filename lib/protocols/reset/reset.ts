// A reset of a password as a protocol of the login pipeline (lib/login/begin/start-reset.ts). It ends in lib/login/end-reset.ts, without an answer
// to an application.
import { DomainError } from '../../kernel/errors'
import type { LoginProtocol } from '../../login/transaction'

export const resetProtocol = (): LoginProtocol => ({
  respond() {
    throw new Error('a reset signs no one in')
  },
  refuse(_request, { code, description, reason, detail }) {
    throw new DomainError(code, description, {
      ...{ reason, redirectable: false },
      ...(detail === undefined ? {} : { detail }),
    })
  },
  describe: () => ({ protocol: 'password-reset' }),
  // The link is a secret: a page for another browser must not have it.
  restart: () => null,
})
