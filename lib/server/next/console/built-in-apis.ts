// The APIs that every tenant has without an object of the Management API.
import { mfaAudience, myAccountAudience } from '../../../data/apis/built-in'
import { say } from '../../../text/console'

export const personalApis = (baseUrl: string): { audience: string; about: string }[] => [
  { audience: mfaAudience(baseUrl), about: say('apis.built_in.mfa') },
  { audience: myAccountAudience(baseUrl), about: say('apis.built_in.account') },
]
