// Every setting of an application can be changed on a page of the console.

import { expect, it } from 'vitest'
import * as z from 'zod'
import { clientSettings } from '../../../data/clients/client'
import { unwrapped } from '../../../kernel/schema'
import { groupsIn, memberAt, metaOf } from '../../../kernel/schema-meta'
import { clients } from '../../../management/resources/clients'
import { APPLICATION_PAGES } from './application-pages'
import { bodyOf } from './form'

/** The page has another way to change them, or they follow from others. */
const WITHOUT_CONTROL = [
  // The panel of public keys.
  'credentials',
  'client_authentication_methods.private_key_jwt.credentials',
  'signed_request_object.credentials',
  // Keys of applications that registered themselves; others have an address or a panel.
  'jwks.keys',
]

/** The paths of all members, down to what is no object. */
function leaves(schema: z.ZodType, path: string): string[] {
  const whole = unwrapped(schema)
  if (!(whole instanceof z.ZodObject)) return [path]
  return Object.entries(whole.shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
    leaves(member, path === '' ? name : `${path}.${name}`),
  )
}

it('a setting of an application has a control, or its page has another way to change it', () => {
  const body = bodyOf(clients.update)
  const bare = leaves(clientSettings, '').filter((path) => {
    const member = memberAt(body, path)
    return member === undefined || metaOf(member).group === undefined
  })
  expect(bare.sort()).toEqual([...WITHOUT_CONTROL].sort())
})

it('a group of settings of an application is on one of its pages', () => {
  const body = bodyOf(clients.update)
  const groups = body ? groupsIn(body).map(({ group }) => group) : []
  expect(Object.values(APPLICATION_PAGES).flat().sort()).toEqual(groups.sort())
})
