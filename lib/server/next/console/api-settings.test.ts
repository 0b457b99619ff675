// Every setting of an API can be changed in the console.
import { expect, it } from 'vitest'
import * as z from 'zod'
import { apiSettings } from '../../../data/apis/api'
import { unwrapped } from '../../../kernel/schema'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import { resourceServers } from '../../../management/resources/resource-servers'
import { bodyOf } from './form'

it('a setting of an API has a control, but for the one that must be empty', () => {
  const body = bodyOf(resourceServers.update)
  const without = Object.keys(apiSettings.shape).filter((name) => {
    const member = memberAt(body, name)
    return member === undefined || metaOf(member).group === undefined
  })
  expect(without).toEqual(['authorization_details'])
  expect(unwrapped(apiSettings.shape.authorization_details)).toBeInstanceOf(z.ZodArray)
})
