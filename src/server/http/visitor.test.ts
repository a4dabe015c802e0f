import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { experiments } from '../../model/flows/experiments.ts';
import { plainAddress, visitorOf } from './visitor.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['<script>', undefined],
  ['', undefined],
  [undefined, undefined],
])('plainAddress returns a valid IP address without the port', (given, expected) => {
  expect(plainAddress(given)).toBe(expected);
});

test('unknown experiment variants in the cookie `variants` are ignored', async () => {
  const app = Fastify();
  const surveys = ['/survey/v4nv'];
  app.decorate(
    'experiments',
    experiments.map((each) => (each.id === 'buttons' ? { ...each, surveys } : each)),
  );
  app.get('/', async (request) => visitorOf(request).variants);
  const invented = Array.from({ length: 100 }, (_, at) => `buttons.v${at}~x${at}.y`).join('~');
  const cookie = `variants=${invented}~theme.harbor~buttons.rounded`;
  expect((await app.inject({ url: '/', headers: { cookie } })).body).toBe('buttons.rounded');
});

test.each([
  ['claims.example.com', 'http://claims.example.com'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ["'; drop table leads; --", 'http://localhost'],
  ['claims.example.com/elsewhere', 'http://claims.example.com'],
])('the site origin is valid for a request with the Host header %j', async (host, expected) => {
  const app = Fastify();
  app.get('/', async (request) => visitorOf(request).siteOrigin);
  expect((await app.inject({ url: '/', headers: { host } })).body).toBe(expected);
});
