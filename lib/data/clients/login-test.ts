// The application of a login that tests a connection or an organization (docs/adr/0072): built in, so nothing lists or changes it. It has no secret
// and no callback, so it begins no login but a test. Connections are not opened to it: each test opens what it tests.
import { type Client, type ClientPort, toClient } from './client'

export const TEST_CLIENT = '$login-test'

export function withLoginTest<Port extends ClientPort>(registered: Port): Port {
  const tester: Client = toClient({
    clientId: TEST_CLIENT,
    name: 'Login test',
    secretDigest: null,
    settings: {
      app_type: 'regular_web',
      grant_types: ['authorization_code'],
      is_first_party: true,
      organization_usage: 'allow',
    },
  })
  return { ...registered, find: async (id) => (id === TEST_CLIENT ? tester : registered.find(id)) }
}
