/** A Fastify server that echoes a JSON body, to measure the cost of HTTP and JSON alone. */
import Fastify from 'fastify';

const app = Fastify();
app.post('/post-lead', (request) => request.body);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
process.once('SIGTERM', () => {
  app.close().then(() => process.exit(0));
});
