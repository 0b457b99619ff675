// Every setting of an API can be changed in the console.
import { expect, it } from 'vitest'
import * as z from 'zod'
import { apiSettings } from '../../../data/apis/api'
import { unwrapped } from '../../../kernel/schema'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import { clients } from '../../../management/resources/clients'
import { resourceServers } from '../../../management/resources/resource-servers'
import { leavesOf } from './field'
import { bodyOf, fieldsOf } from './form'

it('a setting of an API has a control, but for the one that must be empty', () => {
  const body = bodyOf(resourceServers.update)
  const without = Object.keys(apiSettings.shape).filter((name) => {
    const member = memberAt(body, name)
    return member === undefined || metaOf(member).group === undefined
  })
  expect(without).toEqual(['authorization_details'])
  expect(unwrapped(apiSettings.shape.authorization_details)).toBeInstanceOf(z.ZodArray)
})

it('a member of an object that may be absent is not required', () => {
  const names = ['name', 'proof_of_possession', 'subject_type_authorization']
  const fields = leavesOf(fieldsOf(resourceServers.update, names, { name: 'Stock' }))
  expect(fields.filter(({ required }) => required)).toEqual([])
  const [organization] = fieldsOf(clients.update, ['default_organization.organization_id'], {})
  expect(organization).toMatchObject({ kind: 'text', required: false })
})
