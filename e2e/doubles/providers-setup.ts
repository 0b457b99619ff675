// One set of providers for the whole run, in addition to the server under test.
import { PROVIDERS_PORT } from '../origins'
import { startProviders } from './providers'

export default (): Promise<() => Promise<void>> => startProviders(PROVIDERS_PORT)
