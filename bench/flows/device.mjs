// One operation: a device authorization request and one poll before the user acts, the most frequent requests of devices.
import { beginDevice, pollDevice } from '../lib/oauth.mjs'

export default {
  name: 'device: begin and poll',
  operations: 1500,
  async prepare() {},
  async run({ side, http }) {
    const { device_code } = await beginDevice(side, http)
    const { error } = await pollDevice(side, http, device_code)
    if (error !== 'authorization_pending') throw new Error(`an unconfirmed device received ${error}`)
  },
}
