/**
 * The fastest possible page: a question and its answers as plain HTML with a few lines of style, and some
 * hundred bytes of script that show the next question.
 */
export const plainPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Plain</title>
<style>
body{font:1.1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:32rem;padding:1.5rem}
button{display:block;width:100%;min-height:3.5rem;margin:.75rem 0;font:inherit;text-align:left}
</style>
</head>
<body>
<main data-step="Q1">
<h1>Question 1</h1>
<button type="button" name="answer" value="yes">Yes</button>
<button type="button" name="answer" value="no">No</button>
</main>
<script>
var number = 1;
var main = document.querySelector('main');
main.addEventListener('click', function (event) {
  if (event.target.name !== 'answer') return;
  number += 1;
  main.setAttribute('data-step', 'Q' + number);
  main.innerHTML = '<h1>Question ' + number + '</h1>' +
    '<button type="button" name="answer" value="yes">Yes</button>' +
    '<button type="button" name="answer" value="no">No</button>';
});
</script>
</body>
</html>
`;
