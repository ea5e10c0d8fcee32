// The page in Chromium: node browser.mjs SITE CLIENTS [SCREENSHOTS [TEST]].
import assert from 'node:assert';
import {createServer} from 'node:http';
import {mkdirSync, readFileSync} from 'node:fs';
import {extname, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [site, clients, shots, only] = process.argv.slice(2);
const {chromium} = await import(pathToFileURL(resolve(clients, 'node_modules/playwright-core/index.mjs')));
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm'};
const FLAGS = ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
               '--disable-background-networking', '--no-first-run'];

// Any file server does, and the folder may be anywhere on it.
const asked = [];
const server = createServer((request, answer) => {
  const path = new URL(request.url, 'http://x').pathname;
  asked.push(path);
  try {
    const file = join(site, path.replace(/^\/some\/where\//, '').replace(/^$/, 'index.html'));
    answer.writeHead(200, {'content-type': TYPES[extname(file)] ?? 'text/plain'});
    answer.end(readFileSync(file));
  } catch {
    answer.writeHead(404);
    answer.end();
  }
}).listen(0, '127.0.0.1');
await new Promise((done) => server.on('listening', done));
const home = `http://127.0.0.1:${server.address().port}/some/where/`;

const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: FLAGS});
const context = await browser.newContext({viewport: {width: 1280, height: 760}, acceptDownloads: true});
const complaints = [];
if (shots) mkdirSync(shots, {recursive: true});

async function visit(fragment = '', size) {
  const page = await context.newPage();
  if (size) await page.setViewportSize(size);
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => request.url().startsWith(home) || /^(blob|data):/.test(request.url()) || complaints.push(request.url()));
  page.setDefaultTimeout(150000); // a busy machine is slow, not wrong
  await page.goto(home + fragment);
  return page;
}

const frameOf = (page) => page.evaluate(() => window.playground?.report?.frame ?? -1);
const reach = (page, frame) => page.waitForFunction((n) => window.playground?.report?.frame >= n, frame);
const tab = (page, name) => page.click(`#tabs button:has-text("${name}")`);
const shoot = (page, name) => shots && page.screenshot({path: join(shots, `${name}.png`)});

// How many colours the view has, of a few thousand pixels: a blank one has a few.
const colours = (page) => page.evaluate(() => new Promise((done) => {
  const {view} = window.playground;
  view.draw();
  const {gl} = view, {drawingBufferWidth: w, drawingBufferHeight: h} = gl, bytes = new Uint8Array(4 * w * h);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  const found = new Set();
  for (let i = 0; i < bytes.length; i += 4 * 37) found.add(bytes[i] >> 3 << 10 | bytes[i + 1] >> 3 << 5 | bytes[i + 2] >> 3);
  done(found.size);
}));

const tests = {
  async 'five scenes run'() {
    for (const scene of ['galaxy', 'dam-break', 'smoke', 'flag', 'stack']) {
      const page = await visit(`#scene=${scene}`);
      await reach(page, scene === 'dam-break' ? 2 : 5);
      assert.ok(await colours(page) > 12, `${scene} is blank`);
      assert.match(await page.textContent('#about'), /Look at/);
      assert.match(await page.textContent('#facts'), /particles · [\d.]+ ms a frame/);
      await shoot(page, scene);
      await page.close();
    }
  },

  async 'an error is shown at its place'() {
    const page = await visit('#scene=demo');
    await reach(page, 1);
    await tab(page, 'scene');
    const area = page.locator('textarea'), text = await area.inputValue();
    await area.fill(text.replace('fps', 'fsp'));
    const message = page.locator('#messages button', {hasText: 'fsp'});
    await message.waitFor();
    const line = text.split('\n').findIndex((row) => row.includes('fps')) + 1, column = text.split('\n')[line - 1].indexOf('fps') + 1;
    assert.match(await message.textContent(), new RegExp(`^${line}:${column} error: unknown key \`fsp\` in world.*did you mean \`fps\``));
    assert.deepEqual(await page.locator('.marks mark').allTextContents(), ['fsp']);
    assert.equal(await page.locator('.gutter .error').textContent(), String(line));
    assert.ok(await frameOf(page) > 0, 'the run goes on meanwhile');
    await message.click();
    assert.equal(await area.evaluate((a) => a.value.slice(a.selectionStart, a.selectionEnd)), 'fsp');
    await shoot(page, 'error');
    await area.press('Control+Enter');
    await page.waitForSelector('.note.bad');
    await page.click('#editor button:has-text("reload")');
    await page.waitForSelector('#messages .right');
    assert.equal(await area.inputValue(), text);
    await reach(page, 1);
    await page.close();
  },

  async 'a slider changes the run'() {
    const page = await visit('#scene=galaxy');
    await reach(page, 3);
    const stars = page.locator('#controls .item', {hasText: 'stars'});
    await stars.locator('input[type=number]').fill('6000');
    await stars.locator('input[type=number]').press('Enter');
    // The run before has 1667 more a frame.
    await page.waitForFunction(() => window.playground.report.frame >= 1 && window.playground.report.particles <= 5000 + 170 * window.playground.report.frame);
    assert.equal(await page.evaluate(() => window.playground.settings.get('stars')), '6000');
    await shoot(page, 'controls');
    await page.evaluate(() => window.playground.restart(false));
    for (let i = 1; i <= 6; ++i) {
      await page.click('#timeline button[aria-label=step]');
      await page.waitForFunction((n) => window.playground.report.frame === n, i);
    }
    assert.equal(await page.evaluate(() => window.playground.report.particles), 5000 + 1000);
    await page.click('#controls button:has-text("reset")');
    await page.waitForFunction(() => window.playground.settings.size === 0 && window.playground.report.frame > 1 && window.playground.report.particles > 7000);
    await page.close();
  },

  async 'a slider changes the running world'() {
    const page = await visit('#scene=hail&set=world.duration=1000'); // it does not end meanwhile
    await reach(page, 3);
    const rate = page.locator('#controls .item', {has: page.getByLabel('rate', {exact: true})}).first();
    assert.match(await rate.getAttribute('title'), /changes the running world/);
    const seen = () => page.evaluate(() => window.playground.report);
    await rate.locator('input[type=number]').fill('30');
    await rate.locator('input[type=number]').press('Enter');
    await page.waitForFunction(() => window.playground.settings.get('emitters.0.rate') === '30' && window.playground.stale);
    const turned = await frameOf(page);
    await reach(page, turned + 1); // the first that was sent after the change
    const before = await seen();
    await reach(page, before.frame + 6);
    const after = await seen(), frames = after.frame - before.frame;
    assert.ok(turned >= 3 && after.particles - before.particles <= 2 * frames, 'it goes on, with one a frame instead of 30');
    await page.click('#timeline button[aria-label=restart]'); // the value is kept; they live for 150 frames
    await page.waitForFunction(() => window.playground.report.frame >= 5 && window.playground.report.particles <= 2 * Math.min(window.playground.report.frame, 150));
    assert.equal(await rate.locator('input[type=number]').inputValue(), '30');
    await page.close();
  },

  async 'a click reads a particle'() {
    const page = await visit('#scene=first&set=world.duration=1000');
    await reach(page, 6);
    await page.click('#timeline button.play');
    await page.evaluate(() => window.playground.engine.ask('pause'));
    await page.evaluate(() => window.playground.shell.fold(true));
    const spot = await page.evaluate(() => {
      const {view} = window.playground, {points, system} = view.stage.splats[0];
      return {...view.project(points.subarray(0, 3)), place: [...points.subarray(0, 3)], system: view.frame.systems[system].name};
    });
    await page.mouse.click(spot.x, spot.y);
    await page.waitForFunction(() => /particle \d+/.test(document.getElementById('particle').textContent));
    const picked = await page.evaluate(() => window.playground.shell.picked);
    const place = picked.columns.find((c) => c.name === 'position').values;
    assert.equal(picked.system, spot.system);
    const at = await page.evaluate((p) => window.playground.view.project(p), place);
    assert.ok(Math.hypot(at.x - spot.x, at.y - spot.y) < 12, `${place} is not where the click was`);
    await page.evaluate(() => window.playground.shell.fold(false));
    await shoot(page, 'particle');
    await page.keyboard.press('.'); // it is followed
    await page.waitForFunction((before) => window.playground.shell.picked.columns?.find((c) => c.name === 'position').values[1] !== before, place[1]);
    assert.equal(await page.evaluate(() => window.playground.shell.picked.id), picked.id);
    await page.close();
  },

  async 'the time line goes back and on'() {
    const page = await visit('#scene=first&set=world.duration=1000');
    await reach(page, 8);
    await page.click('#timeline button.play');
    await page.evaluate(() => window.playground.engine.ask('pause'));
    const last = await frameOf(page), picture = await colours(page);
    await page.locator('#timeline input[type=range]').fill('0');
    await page.waitForFunction(() => window.playground.report.frame === 0);
    assert.ok(picture > 12);
    await page.keyboard.press('.');
    await page.waitForFunction(() => window.playground.report.frame > 0);
    await page.click('#timeline button.play');
    await reach(page, last + 3);
    await page.close();
  },

  async 'share and reload give the same scene'() {
    const page = await visit('#scene=first');
    await reach(page, 1);
    await tab(page, 'scene');
    const area = page.locator('textarea'), text = (await area.inputValue()).replace('first.json5', 'mine, grüße');
    await area.fill(text);
    await page.click('#share');
    await page.waitForFunction(() => location.hash.includes('text='));
    const again = await visit(await page.evaluate(() => location.hash));
    await reach(again, 1);
    assert.equal(await again.locator('textarea').inputValue(), text);
    await again.close();
    await page.close();
    const changed = await visit('#scene=galaxy&set=stars%3D100&set=mass%3D2.5');
    await reach(changed, 1);
    const value = (name) => changed.locator('#controls .item', {hasText: name}).first().locator('input[type=number]').inputValue();
    assert.deepEqual([await value('stars'), await value('mass')], ['100', '2.5']);
    await changed.click('#share');
    await changed.waitForSelector('.note');
    assert.equal(await changed.evaluate(() => decodeURIComponent(location.hash)), '#scene=galaxy&set=stars=100&set=mass=2.5');
    await changed.close();
  },

  async 'hostile addresses are refused'() {
    for (const fragment of ['#scene=../../secret', '#text=AAAA', '#<script>alert(1)</script>', '#scene=galaxy&set=a=%3Cimg%20src=x%3E']) {
      const page = await visit(fragment);
      await page.waitForSelector('.note.bad');
      assert.match(await page.textContent('.note.bad'), /The address holds no scene that can be shown/);
      assert.equal(await page.locator('body img, body script').count(), 0);
      await page.close();
    }
    const large = await visit('#scene=dam-break&set=spacing=0.001');
    await large.waitForSelector('.note.bad');
    assert.match(await large.textContent('.note.bad'), /does not fit into a page\. memory: about .* would fit$/);
    assert.ok(await large.isDisabled('#timeline button.play'));
    await shoot(large, 'refused');
    await large.selectOption('#scenes', 'first');
    await reach(large, 2);
    await large.close();
  },

  async 'probes are plots, and a picture comes from the renderer'() {
    const page = await visit('#scene=fountain');
    await reach(page, 2);
    await tab(page, 'plots');
    await page.waitForSelector('.plot canvas');
    await shoot(page, 'plots');
    await page.click('#timeline button.play');
    await page.evaluate(() => window.playground.engine.ask('pause'));
    const samples = await page.evaluate(() => [...window.playground.probes.values()].map((p) => p.times.length));
    const frame = await frameOf(page); // one sample a frame, also of frames that were not shown
    assert.ok(samples.length > 0 && samples.every((count) => count === frame + 1), `${samples} samples at frame ${frame}`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
    assert.match(download.suggestedFilename(), /^fountain-\d+\.png$/);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.readUInt32BE(0), 0x89504e47);
    assert.ok(bytes.length > 20000);
    await page.close();
  },

  async 'keys, and a narrow window'() {
    const page = await visit('#scene=flag', {width: 390, height: 844});
    await reach(page, 2);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `the page is ${over} px too wide`);
    await shoot(page, 'narrow');
    await page.locator('#view').focus();
    await page.keyboard.press(' ');
    await page.waitForFunction(() => !window.playground.playing);
    await page.evaluate(() => window.playground.engine.ask('pause'));
    const before = await frameOf(page);
    await page.keyboard.press('.');
    await page.waitForFunction((n) => window.playground.report.frame === n + 1, before);
    await page.keyboard.press('ArrowLeft');
    assert.ok(await page.evaluate(() => window.playground.view.moved), 'the camera turns');
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.playground.report.frame === 0);
    await page.keyboard.press('h');
    await tab(page, 'scene');
    await shoot(page, 'narrow-scene');
    await tab(page, 'controls');
    await page.locator('#view').focus();
    const reached = new Set(); // by Tab alone, there and back
    for (let i = 0; i < 36; ++i) {
      await page.keyboard.press(i < 12 ? 'Tab' : 'Shift+Tab');
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent));
    }
    for (const name of ['scenes', 'share', 'picture', 'fold', 'controls', 'plots', 'scene', 'play'])
      assert.ok(reached.has(name), `${name} cannot be reached by Tab: ${[...reached]}`);
    await page.close();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  complaints.length = 0;
  try {
    await test();
    assert.deepEqual(complaints, [], 'the console is quiet');
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}: ${error.message}`);
    for (const page of context.pages()) await page.close();
  }
}
assert.ok(asked.every((path) => path.startsWith('/some/where/')), 'all addresses are relative');
await browser.close();
server.close();
process.exit(failed > 0 ? 1 : 0);
