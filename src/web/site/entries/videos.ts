/** The video gallery's player. Loads nothing of a film before it is tapped. */
function source(src: string, type: string): HTMLSourceElement {
  return Object.assign(document.createElement('source'), { src, type });
}

for (const start of document.querySelectorAll<HTMLAnchorElement>('.video-start')) {
  start.addEventListener('click', (event) => {
    event.preventDefault();
    const film = start.dataset.film ?? '';
    const video = document.createElement('video');
    const captions = document.createElement('track');
    Object.assign(captions, { kind: 'captions', srclang: 'en', label: 'English', default: true });
    captions.src = `${film}.vtt`;
    video.append(
      source(`${film}.webm`, 'video/webm'),
      source(`${film}.mp4`, 'video/mp4'),
      captions,
    );
    Object.assign(video, { controls: true, playsInline: true });
    start.replaceWith(video);
    video.focus();
    // If the browser blocks autoplay, the visitor starts the film.
    video.play().catch(() => undefined);
  });
}
