import { expect, it } from 'vitest'
import { isFilePath } from './file-path'

it.each([
  'idp.xml',
  './certs/idp.pem',
  '/etc/ssl/idp.crt',
  'C:\\certs\\idp.cer',
  'file:///tmp/idp.xml',
  '../keys/a b.key',
  'login.js ',
])('%s is the path of a file', (text) => expect(isFilePath(text)).toBe(true))

it.each([
  '',
  '<EntityDescriptor/>',
  '-----BEGIN CERTIFICATE-----\nMII\n',
  'MIIC8jCCAdqgAwIBAgIJ',
  'https://idp.example',
  '{"keys":[]}',
])('the text %j is not a path of a file', (text) => expect(isFilePath(text)).toBe(false))
