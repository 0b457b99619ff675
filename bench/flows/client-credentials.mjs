// One operation: a JWT for the API, for a client that authenticates with its secret.
import { clientCredentials } from '../lib/oauth.mjs'

export default {
  name: 'client credentials',
  target: 0.68,
  operations: 2400,
  async prepare() {},
  run: ({ side, http }) => clientCredentials(side, http),
}
