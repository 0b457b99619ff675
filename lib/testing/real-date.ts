// Each test file begins with the `Date` of the platform, though the files of a worker share their modules and globals.
// - The language of claim rules remembers the class of dates when it is loaded, so it is loaded before a test replaces `Date`.
// - Next's server replaces `Date`, and the constructor of its prototype, for the whole process once a test loads it.
import { afterAll } from 'vitest'
import '../identity/tenant-code/claims/expression'

const PlatformDate = Date

afterAll(() => {
  globalThis.Date = PlatformDate
  PlatformDate.prototype.constructor = PlatformDate
})
