/** The video gallery's player: nothing of a film is loaded before it is tapped. */
for (const start of document.querySelectorAll<HTMLAnchorElement>('.video-start')) {
  start.addEventListener('click', (event) => {
    event.preventDefault();
    const { captions = '', width = '', height = '' } = start.dataset;
    const video = document.createElement('video');
    const track = document.createElement('track');
    Object.assign(track, { kind: 'captions', src: captions, srclang: 'en', label: 'English' });
    track.default = true;
    video.append(track);
    Object.assign(video, { controls: true, playsInline: true, src: start.href });
    video.width = Number(width);
    video.height = Number(height);
    start.replaceWith(video);
    video.focus();
    // A browser that will not start it by itself leaves the controls to the visitor.
    video.play().catch(() => undefined);
  });
}
