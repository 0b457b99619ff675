// One operation: the discovery document and the keys, which an application fetches at its start.
import { expectStatus } from '../lib/http.mjs'

export default {
  name: 'discovery + JWKS',
  target: 0.4,
  operations: 8000,
  async prepare() {},
  async run({ side, http }) {
    expectStatus(await http.send({ path: '/.well-known/openid-configuration' }), 200, 'discovery')
    expectStatus(await http.send({ path: side.paths.jwks }), 200, 'keys')
  },
}
